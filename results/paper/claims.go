package paper

import (
	"cmp"
	"maps"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// A computation is what a claim computes over the cells.
type computation struct {
	value figure  // the number
	holds finding // what is claimed about it, a direction, an order or a bound; nil if nothing is
}

type (
	figure  = func(c *cells) float64
	finding = func(c *cells) bool
)

// computations are those of the claims by their ids.
var computations = func() map[string]computation {
	all := maps.Clone(single)
	for _, variant := range []string{"no_repair", "no_chunk", "no_knowledge", "daikon_only", "doc_only"} {
		id := "inv-" + strings.ReplaceAll(variant, "_", "-")
		all[id], all[id+"-pct"] = computation{found(variant), lisaFindsMore(variant)}, computation{value: share(variant)}
	}
	for id, column := range map[string]string{
		"vanilla-csr-average": "success.vanilla_csr", "vanilla-esr-average": "success.vanilla_esr",
		"vanilla-line-average": "coverage.vanilla_line", "vanilla-branch-average": "coverage.vanilla_branch",
		"ossfuzz-line-average": "coverage.ossfuzz_line", "ossfuzz-branch-average": "coverage.ossfuzz_branch",
	} {
		all[id] = computation{value: average(column)}
	}
	return all
}()

// single are the computations that no other is like.
var single = map[string]computation{
	"ngram-best": {
		func(c *cells) float64 {
			return truth(threeIsBest(c, "valid")) + truth(threeIsBest(c, "line")) + truth(threeIsBest(c, "branch"))
		},
		func(c *cells) bool { return all(threeIsBest(c, "line"), threeIsBest(c, "branch")) }},
	"ngram-is-headline": {value: func(c *cells) float64 {
		return max(math.Abs(c.at("ngram.line", "3")-c.at("coverage.lisa_line", "zlib")),
			math.Abs(c.at("ngram.branch", "3")-c.at("coverage.lisa_branch", "zlib")))
	}},

	"curation-first":  {value: minutes("first")},
	"curation-second": {value: minutes("second")},
	"curation-mean": {value: func(c *cells) float64 {
		seconds := func(all, apis float64) float64 { return all / apis }
		return stat.Mean(c.join(c.col("curation.seconds"), c.col("curation.apis"), seconds).values, nil) / 60
	}},

	"lisa-csr-average": {average("success.lisa_csr"), above("success.lisa_csr", "success.vanilla_csr")},
	"lisa-esr-average": {average("success.lisa_esr"), above("success.lisa_esr", "success.vanilla_esr")},
	"esr-gain": {func(c *cells) float64 { return c.mean("success.lisa_esr") - c.mean("success.vanilla_esr") },
		above("success.lisa_esr", "success.vanilla_esr")},
	"lisa-line-average":   {average("coverage.lisa_line"), coversMost("line")},
	"lisa-branch-average": {average("coverage.lisa_branch"), coversMost("branch")},
	"sqlite3-doubles":     {sqlite3Ratio, func(c *cells) bool { return sqlite3Ratio(c) > 2 }},
	"line-wins":           {lineWins, func(c *cells) bool { return lineWins(c) > lineLosses(c) }},
	"line-losses":         {lineLosses, func(c *cells) bool { return all(gain(c, "sqlite3") < 0, gain(c, "libpng") < 0) }},
	"gain-libpcap": {gainOn("libpcap"), func(c *cells) bool {
		least := gain(c, "libpcap")
		for _, g := range gains(c).values {
			if g > 0 && g < least {
				return false
			}
		}
		return least > 0
	}},
	"gain-cjson": {gainOn("cJSON"), func(c *cells) bool { return gain(c, "cJSON") >= highest(gains(c)) }},
	"gain-zlib":  {gainOn("zlib"), func(c *cells) bool { return gain(c, "zlib") > 0 }},
	"gain-re2":   {gainOn("re2"), func(c *cells) bool { return gain(c, "re2") > 0 }},

	"auvc-ratio": {
		func(c *cells) float64 { return c.mean("auvc.lisa") / c.mean("auvc.citywalk") },
		func(c *cells) bool { return c.every(c.col("auvc.lisa"), c.col("auvc.citywalk"), more) }},

	"ablation-floor":     {ablationFloor, func(c *cells) bool { return ablationFloor(c) > 95 }},
	"feedback-gain-zlib": {feedbackGain, func(c *cells) bool { return feedbackGain(c) > 0 }},
	"repair-esr-sqlite3": {
		func(c *cells) float64 { return ablated(c, "esr", "sqlite3", "no_repair") },
		func(c *cells) bool {
			return ablated(c, "esr", "sqlite3", "no_repair") <= lowest(c.col("ablation.esr", "sqlite3"))
		}},
	"repair-line-sqlite3": {
		func(c *cells) float64 { return ablated(c, "line", "sqlite3", "no_repair") },
		func(c *cells) bool {
			return ablated(c, "line", "sqlite3", "no_repair") < ablated(c, "line", "sqlite3", "default")
		}},
	"feedback-lowest": {
		func(c *cells) float64 {
			return c.count(without(c, "line", "feedback"), leastWithFeedback(c, "line"), notMore) +
				c.count(without(c, "branch", "feedback"), leastWithFeedback(c, "branch"), notMore)
		},
		func(c *cells) bool {
			return c.every(without(c, "line", "feedback"), leastWithFeedback(c, "line"), notMore)
		}},
	"full-best-coverage": lessInBoth(mostWithout, whole),
	"ablation-is-headline": {value: func(c *cells) float64 {
		return max(c.distance(whole(c, "line"), lisaLine(c)), c.distance(whole(c, "branch"), c.col("coverage.lisa_branch")),
			c.distance(whole(c, "csr"), c.col("success.lisa_csr")), c.distance(whole(c, "esr"), c.col("success.lisa_esr")))
	}},

	"bugs-total":        {value: found("total")},
	"bugs-lisa":         {found("lisa"), lisaFindsMost},
	"bugs-lisa-pct":     {share("lisa"), lisaFindsMost},
	"bugs-citywalk":     {found("citywalk"), lisaFindsMore("citywalk")},
	"bugs-citywalk-pct": {value: share("citywalk")},
	"bugs-ossfuzz":      {found("ossfuzz"), lisaFindsMore("ossfuzz")},
	"bugs-ossfuzz-pct":  {value: share("ossfuzz")},
	"bugs-margin": {
		func(c *cells) float64 { return c.sum("bugs.lisa") - max(c.sum("bugs.citywalk"), c.sum("bugs.ossfuzz")) },
		lisaFindsMost},
	"fisher-ossfuzz-p":     {fisherP("ossfuzz"), significantlyMore("ossfuzz")},
	"fisher-ossfuzz-odds":  {oddsRatio("ossfuzz"), lisaFindsMore("ossfuzz")},
	"fisher-citywalk-p":    {fisherP("citywalk"), significantlyMore("citywalk")},
	"fisher-citywalk-odds": {oddsRatio("citywalk"), lisaFindsMore("citywalk")},
	"bugs-every-library": {
		func(c *cells) float64 { return c.count(c.col("bugs.lisa"), bestOther(c), more) },
		func(c *cells) bool { return c.every(c.col("bugs.lisa"), bestOther(c), more) }},
	"variance-bound": {largestSpread, func(c *cells) bool { return largestSpread(c) <= 3.5 }},
	"variance-above-vanilla": lessInBoth(
		func(c *cells, measure string) series { return c.col("coverage.vanilla_" + measure) }, lowestRun),
	"variance-rank-ossfuzz": {value: func(c *cells) float64 { return sameOrder(c, "line") + sameOrder(c, "branch") }},
	"variance-representative": {
		func(c *cells) float64 { return max(deviation(c, "line", 0, 0), deviation(c, "branch", 0, 0)) },
		func(c *cells) bool { // printed figures may be off by half a digit: 0.005 of one run, 0.05 of mean and deviation
			return max(deviation(c, "line", 0.055, 0.05), deviation(c, "branch", 0.055, 0.05)) <= reach
		}},
	"bugs-recur": {value: func(c *cells) float64 {
		return floats.Sum(overRuns(c, math.Max).values) - floats.Sum(overRuns(c, math.Min).values)
	}},

	"alpha-min": {value: func(c *cells) float64 {
		return math.Log10(c.at("settings.value", "energy ratio kept under alpha_min")) /
			math.Log10(1/c.at("settings.value", "smallest normalized energy epsilon"))
	}},
}

// lessInBoth counts the rows in which a is less than b, in lines and in branches; all are claimed to be.
func lessInBoth(a, b func(c *cells, measure string) series) computation {
	return computation{
		func(c *cells) float64 {
			return c.count(a(c, "line"), b(c, "line"), less) + c.count(a(c, "branch"), b(c, "branch"), less)
		},
		func(c *cells) bool {
			return all(c.every(a(c, "line"), b(c, "line"), less), c.every(a(c, "branch"), b(c, "branch"), less))
		}}
}

func threeIsBest(c *cells, measure string) bool {
	return c.at("ngram."+measure, "3") > highest(c.col("ngram."+measure, "!3"))
}

func minutes(annotator string) figure {
	return func(c *cells) float64 {
		return c.at("curation.seconds", annotator) / c.at("curation.apis", annotator) / 60
	}
}

func average(column string) figure { return func(c *cells) float64 { return c.mean(column) } }

func above(a, b string) finding { return func(c *cells) bool { return c.mean(a) > c.mean(b) } }

func coversMost(measure string) finding {
	lisa := "coverage.lisa_" + measure
	return func(c *cells) bool {
		return all(c.mean(lisa) > c.mean("coverage.ossfuzz_"+measure), c.mean(lisa) > c.mean("coverage.vanilla_"+measure))
	}
}

func lisaLine(c *cells) series { return c.col("coverage.lisa_line") }
func fuzzLine(c *cells) series { return c.col("coverage.ossfuzz_line") }

// gain is how many points more of a library's lines LISA covers than OSS-Fuzz, and gains that of all libraries.
func gain(c *cells, library string) float64 {
	return c.at("coverage.lisa_line", library) - c.at("coverage.ossfuzz_line", library)
}

func gains(c *cells) series { return c.minus(lisaLine(c), fuzzLine(c)) }

func lineWins(c *cells) float64   { return c.count(lisaLine(c), fuzzLine(c), more) }
func lineLosses(c *cells) float64 { return c.count(fuzzLine(c), lisaLine(c), more) }

func sqlite3Ratio(c *cells) float64 {
	return c.at("coverage.lisa_line", "sqlite3") / c.at("coverage.vanilla_line", "sqlite3")
}

func gainOn(library string) figure { return func(c *cells) float64 { return gain(c, library) } }

func ablationFloor(c *cells) float64 {
	return lowest(c.col("ablation.esr", "zlib"), c.col("ablation.esr", "cJSON"))
}

// ablated is a measure of a variant on a library, without that of LISA without a part by library, and whole that
// with all parts.
func ablated(c *cells, measure, library, variant string) float64 {
	return c.at("ablation."+measure, library, variant)
}

func feedbackGain(c *cells) float64 {
	return ablated(c, "line", "zlib", "default") - ablated(c, "line", "zlib", "no_feedback")
}

func without(c *cells, measure, part string) series {
	return c.col("ablation."+measure, "*", "no_"+part)
}

func whole(c *cells, measure string) series { return c.col("ablation."+measure, "*", "default") }

func leastWithFeedback(c *cells, measure string) series {
	least := c.join(without(c, measure, "rules"), without(c, measure, "examples"), math.Min)
	return c.join(least, without(c, measure, "repair"), math.Min)
}

func mostWithout(c *cells, measure string) series {
	most := c.join(without(c, measure, "rules"), without(c, measure, "feedback"), math.Max)
	most = c.join(most, without(c, measure, "examples"), math.Max)
	return c.join(most, without(c, measure, "repair"), math.Max)
}

// found is how many bugs a tool or variant finds, and share that in percent.
func found(column string) figure { return func(c *cells) float64 { return c.sum("bugs." + column) } }

func share(column string) figure {
	return func(c *cells) float64 { return 100 * c.sum("bugs."+column) / c.sum("bugs.total") }
}

func lisaFindsMore(column string) finding {
	return func(c *cells) bool { return c.sum("bugs."+column) < c.sum("bugs.lisa") }
}

func lisaFindsMost(c *cells) bool {
	return all(lisaFindsMore("citywalk")(c), lisaFindsMore("ossfuzz")(c))
}

func fisherP(other string) figure { return func(c *cells) float64 { return c.fisher(other).P } }

func oddsRatio(other string) figure {
	return func(c *cells) float64 {
		if odds := c.fisher(other).OddsRatio; odds != nil {
			return *odds
		}
		c.lack("the odds ratio is undefined, a count of its divisor is 0")
		return math.NaN()
	}
}

func significantlyMore(other string) finding {
	return func(c *cells) bool { return all(lisaFindsMore(other)(c), fisherP(other)(c) < 0.05) }
}

// reach is (n-1)/√n for n = 3: none of three values is further from their mean, in sample standard deviations
// (Samuelson, J. Amer. Statist. Assoc. 63, 1968).
var reach = 2 / math.Sqrt(3)

func bestOther(c *cells) series {
	return c.join(c.col("bugs.citywalk"), c.col("bugs.ossfuzz"), math.Max)
}

func largestSpread(c *cells) float64 {
	return highest(c.col("variance.line_std"), c.col("variance.branch_std"))
}

// lowestRun bounds what LISA covered in the worst of three runs.
func lowestRun(c *cells, measure string) series {
	lowest := func(mean, std float64) float64 { return mean - reach*std }
	return c.join(c.col("variance."+measure), c.col("variance."+measure+"_std"), lowest)
}

// sameOrder counts the libraries on which LISA's mean is on the side of OSS-Fuzz where the main table has it, and
// so far from it that every run is.
func sameOrder(c *cells, measure string) float64 {
	fuzz := c.col("coverage.ossfuzz_" + measure)
	mean, main := c.minus(c.col("variance."+measure), fuzz), c.minus(c.col("coverage.lisa_"+measure), fuzz)
	apart := c.join(mean, main, func(x, y float64) float64 {
		if cmp.Compare(x, 0) != cmp.Compare(y, 0) {
			return -1
		}
		return math.Abs(x)
	})
	return c.count(apart, c.col("variance."+measure+"_std"), func(d, s float64) bool { return d > reach*s })
}

// deviation is how far the main table is from the mean of three runs, in standard deviations, at most over the
// libraries, if both are rounded by so much.
func deviation(c *cells, measure string, rounded, roundedStd float64) float64 {
	distance := func(x, y float64) float64 { return math.Abs(x-y) - rounded }
	inStds := func(d, std float64) float64 { return d / (std + roundedStd) }
	d := c.join(c.col("coverage.lisa_"+measure), c.col("variance."+measure), distance)
	return highest(c.join(d, c.col("variance."+measure+"_std"), inStds))
}

func overRuns(c *cells, f func(x, y float64) float64) series {
	return c.join(c.join(c.col("variance.bugs_1"), c.col("variance.bugs_2"), f), c.col("variance.bugs_3"), f)
}
