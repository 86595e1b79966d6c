package toolchain

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// BenchmarkCompile compares a batch of programs with one driver call for each, on programs
// of which none or a fifth are wrong. One iteration is one batch; compare cpu-ms/program
// with benchstat -col /way.
func BenchmarkCompile(b *testing.B) {
	const programs = 30
	flags := Flags{IncludeDirs: []string{shapesInclude(b)}}
	for _, wrongPct := range []int{0, 20} {
		var units []Unit
		for i := range programs {
			source := goodProgram(i)
			if wrongPct > 0 && i%(100/wrongPct) == 3 {
				source = strings.Replace(source, "return 0;", "return undeclared(0);", 1)
			}
			units = append(units, Unit{ID: fmt.Sprint("p", i), Lang: trial.C, Source: source})
		}
		for _, way := range []string{"batch", "driver"} {
			b.Run(fmt.Sprintf("way=%s/wrong=%d%%", way, wrongPct), func(b *testing.B) {
				b.ReportAllocs()
				ctx := context.Background()
				c := testCompiler(b, 1)
				for b.Loop() {
					dir := b.TempDir()
					if way == "batch" {
						if _, err := c.Compile(ctx, dir, flags, units); err != nil {
							b.Fatal(err)
						}
						continue
					}
					for _, u := range units {
						if _, err := c.CompileAlone(ctx, dir, flags, u); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(c.CPU().Seconds()*1000/float64(b.N*programs), "cpu-ms/program")
			})
		}
	}
}

// BenchmarkLinkShared is the link of one test program.
func BenchmarkLinkShared(b *testing.B) {
	object := compileOne(b, trial.C, Flags{}, "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n")
	l, out := testLinker(b), filepath.Join(b.TempDir(), "t.so")
	for b.Loop() {
		if err := l.LinkShared(b.Context(), trial.C, object, out); err != nil {
			b.Fatal(err)
		}
	}
}
