package knowledge

import "math/big"

// ternary looks for a plane.
func (m *miner) ternary(i, j, k int) {
	if rep := m.vars[i].RepType; rep == "hashcode" || rep == "double" || rep == stringRep {
		return
	}
	if c, ok := m.plane(5, i, j, k); ok {
		m.add(likely{Template: linear, Vars: []string{m.vars[i].Name, m.vars[j].Name, m.vars[k].Name}, Values: c}, i, j, k)
	}
}

// plane returns the smallest integers a, b, …, d with a*x + b*y + … + d == 0 for every row,
// none but d being 0. The result ok is false if there are none, if fewer than least rows differ, or if
// the rows do not determine them.
func (m *miner) plane(least int, cols ...int) (coefficients []string, ok bool) {
	var points [][]*big.Int
	seen := map[string]bool{}
	m.both(func(vs []value) {
		key, p := "", make([]*big.Int, len(vs))
		for i, v := range vs {
			p[i] = v.n
			key += v.String() + " "
		}
		if !seen[key] {
			seen[key] = true
			points = append(points, p)
		}
	}, cols...)
	if len(points) < least {
		return nil, false
	}
	normal := normalOf(points)
	if normal == nil {
		return nil, false
	}
	d := new(big.Int)
	for i := range normal {
		if normal[i].Sign() == 0 {
			return nil, false
		}
		d.Sub(d, new(big.Int).Mul(normal[i], points[0][i]))
	}
	for _, p := range points {
		sum := new(big.Int).Set(d)
		for i := range p {
			sum.Add(sum, new(big.Int).Mul(normal[i], p[i]))
		}
		if sum.Sign() != 0 {
			return nil, false
		}
	}
	return reduced(append(normal, d)), true
}

// normalOf returns a vector at a right angle to all differences of points: in two dimensions
// to the first, in three to the first two that are not parallel.
func normalOf(points [][]*big.Int) []*big.Int {
	minus := func(a, b []*big.Int) []*big.Int {
		out := make([]*big.Int, len(a))
		for i := range a {
			out[i] = new(big.Int).Sub(a[i], b[i])
		}
		return out
	}
	u := minus(points[1], points[0])
	if len(u) == 2 {
		return []*big.Int{u[1], new(big.Int).Neg(u[0])}
	}
	det := func(a, b, c, d *big.Int) *big.Int {
		return new(big.Int).Sub(new(big.Int).Mul(a, d), new(big.Int).Mul(b, c))
	}
	for _, p := range points[2:] {
		v := minus(p, points[0])
		n := []*big.Int{det(u[1], u[2], v[1], v[2]), det(u[2], u[0], v[2], v[0]), det(u[0], u[1], v[0], v[1])}
		if n[0].Sign() != 0 || n[1].Sign() != 0 || n[2].Sign() != 0 {
			return n
		}
	}
	return nil
}

// reduced divides integers by their greatest common divisor and makes the first positive.
func reduced(list []*big.Int) []string {
	g := new(big.Int)
	for _, n := range list {
		g.GCD(nil, nil, g, new(big.Int).Abs(n))
	}
	if list[0].Sign() < 0 {
		g.Neg(g)
	}
	var out []string
	for _, n := range list {
		out = append(out, new(big.Int).Quo(n, g).String())
	}
	return out
}
