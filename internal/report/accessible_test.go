package report_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	. "github.com/lisa-bench/lisa-bench/internal/report"
)

// accessibility collects what a reader without eyes, colours or a mouse could not use.
func accessibility(page string) (complaints []string, tables, pictures int) {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return []string{err.Error()}, 0, 0
	}
	complain := func(n *html.Node, what string) {
		complaints = append(complaints, n.Data+" "+attr(n, "id")+": "+what)
	}
	byID, heading, h1 := map[string]*html.Node{}, 0, 0
	walk(root, func(n *html.Node) {
		if id := attr(n, "id"); id != "" {
			byID[id] = n
		}
	})
	name := func(n *html.Node) string {
		if label := byID[attr(n, "aria-labelledby")]; label != nil {
			return textOf(label)
		}
		return attr(n, "aria-label")
	}
	walk(root, func(n *html.Node) {
		switch n.Data {
		case "html":
			if attr(n, "lang") == "" {
				complain(n, "no lang")
			}
		case "h1", "h2", "h3", "h4":
			level := int(n.Data[1] - '0')
			if level > heading+1 {
				complain(n, "heading level skipped: "+textOf(n))
			}
			if heading = level; level == 1 {
				h1++
			}
		case "table":
			tables++
			for _, c := range tableComplaints(n) {
				complain(n, c)
			}
		case "img":
			pictures++
			if attr(n, "alt") == "" {
				complain(n, "no alt")
			}
		case "select":
			if n.Parent.Data != "label" {
				complain(n, "no label")
			}
		case "button", "a", "summary":
			if strings.TrimSpace(textOf(n)+name(n)) == "" {
				complain(n, "no name")
			}
		case "nav", "form", "section":
			if name(n) == "" {
				complain(n, "no name")
			}
		}
		switch attr(n, "role") {
		case "img", "region", "group", "dialog":
			if attr(n, "role") == "img" {
				pictures++
			}
			if name(n) == "" {
				complain(n, "role without a name")
			}
		}
	})
	if h1 != 1 {
		complaints = append(complaints, "not one h1")
	}
	return complaints, tables, pictures
}

// tableComplaints checks a table's caption and headers.
func tableComplaints(table *html.Node) (complaints []string) {
	captioned := false
	walk(table, func(n *html.Node) {
		switch n.Data {
		case "caption":
			captioned = strings.TrimSpace(textOf(n)) != ""
		case "th":
			if s := attr(n, "scope"); s != "col" && s != "row" {
				complaints = append(complaints, "header without a scope: "+textOf(n))
			}
			if strings.TrimSpace(textOf(n)) == "" {
				complaints = append(complaints, "empty header")
			}
		case "tr":
			headers := 0
			walk(n, func(c *html.Node) {
				if c.Data == "th" {
					headers++
				}
			})
			if headers == 0 {
				complaints = append(complaints, "row without a header")
			}
		case "td":
			if strings.TrimSpace(textOf(n)) == "" && (attr(n, "class") == "hit" || attr(n, "class") == "missing") {
				complaints = append(complaints, "colour is all that a cell says")
			}
		}
	})
	if !captioned {
		complaints = append(complaints, "no caption")
	}
	return complaints
}

func walk(n *html.Node, visit func(*html.Node)) {
	if n.Type == html.ElementNode {
		visit(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walk(c, visit)
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(textOf(c))
	}
	return b.String()
}

func TestPagesAreAccessible(t *testing.T) {
	compared, err := CompareRuns(NamedRun{"one", fixture()}, NamedRun{"two", fixture()})
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*Document{"run": build(t, fixture()), "timed run": build(t, timed(fixture())), "comparison": compared} {
		complaints, tables, pictures := accessibility(withoutLibrary(t, rendered(t, d)["index.html"]))
		for _, c := range complaints {
			t.Errorf("%s: %s", name, c)
		}
		if tables == 0 || name != "comparison" && pictures == 0 {
			t.Errorf("%s: %d tables and %d pictures seen", name, tables, pictures)
		}
	}
}

func timed(r Run) Run {
	r.Timed = true
	return r
}

// TestAccessibilityIsChecked makes sure that the check above can fail.
func TestAccessibilityIsChecked(t *testing.T) {
	const page = `<html><body><h2>x</h2><img src="x"><table><tr><td>1</td></tr><tr><th>a</th></tr></table><div role="img"></div><select></select><nav></nav></body></html>`
	complaints, _, _ := accessibility(page)
	for _, want := range []string{"no lang", "level skipped", "no alt", "no caption", "row without a header", "without a scope", "role without a name", "no label", "nav : no name", "not one h1"} {
		if !strings.Contains(strings.Join(complaints, "\n"), want) {
			t.Errorf("not found: %s", want)
		}
	}
}
