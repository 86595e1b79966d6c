package llm

import "testing"

func TestFindKey(t *testing.T) {
	for text, want := range map[string]int{
		"":    -1,
		"sk-": -1,
		"a key-value pair, sk-of-many-words-but-no-digit": -1,
		"sk_X509_NAME_ENTRY_value_of_OpenSSL_1":           -1,
		"sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1":            -1, // no capital
		"key sk-proj-Ab3dEfGh1jKlMn0pQrStUv":              4,
		"gsk_Ab3dEfGh1jKlMn0pQrStUvWx":                    0,
		"task-Ab3dEfGh1jKlMn0pQrStUvWx":                   -1,
	} {
		if got := FindKey([]byte(text)); got != want {
			t.Errorf("%q: found at %d, want %d", text, got, want)
		}
	}
}
