package metrics

// A Memo keeps the results of finished evaluation steps, so that a killed evaluation goes
// on where it was. Get fills v and reports whether the key was known.
type Memo interface {
	Get(key string, v any) (bool, error)
	Put(key string, v any) error
}

// remember returns the memo's value for key, or computes and keeps it. What it returns has
// gone through the memo either way, so that an evaluation that goes on gives the bytes of
// one that was never killed.
func remember[T any](m Memo, key string, compute func() (T, error)) (T, error) {
	var kept T
	if known, err := m.Get(key, &kept); known || err != nil {
		return kept, err
	}
	v, err := compute()
	if err != nil {
		return kept, err
	}
	if err := m.Put(key, v); err != nil {
		return kept, err
	}
	_, err = m.Get(key, &kept)
	return kept, err
}
