package submission

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// Options say how to pack a run.
type Options struct {
	Name string // of the submission; see CheckName
	// Unfinished packs a run that has cells without a record and without a lasting reason.
	Unfinished bool
	// Here are directories of this machine and the words that take their place, in what the
	// harness wrote: a submission is not to tell who packed it where.
	Here []Place
	// Keys are secrets that no packed file may hold.
	Keys []string
	// KeysChecked packs text that looks like an API key and is none of Keys.
	KeysChecked bool
}

// A Place is an absolute directory and what stands for it, e.g. "~".
type Place struct{ Dir, Word string }

// An UnfinishedError names the cells that keep a run from being packed.
type UnfinishedError struct {
	Dir   string
	Cells []string
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("%s: not finished: %d of its cells have neither a record nor a permanent reason for lacking one; the first is %s: "+
		"`bench run` resumes it; --unfinished packs it as it is, but no leaderboard accepts it", e.Dir, len(e.Cells), e.Cells[0])
}

// A KeyError says that a file holds what is, or looks like, an API key. It does not repeat it.
type KeyError struct {
	Path  string // in the run directory
	Line  int    // 1-based
	Known bool   // one of Options.Keys
}

func (e *KeyError) Error() string {
	if e.Known {
		return fmt.Sprintf("%s:%d: holds an API key, which must not be published: remove it and revoke it", e.Path, e.Line)
	}
	return fmt.Sprintf("%s:%d: this looks like an API key: remove it and revoke it; if it is not one, pack with --keys-checked", e.Path, e.Line)
}

// passing are the kinds of incompleteness that another `bench run` is likely to end.
var passing = []string{"not_run", "stale", "interrupted", "claimed", "disk"}

// unfinished returns the IDs of the cells that have neither a record nor a lasting reason for
// having none.
func unfinished(data *results.Data) []string {
	var ids []string
	for _, c := range data.Cells {
		if c.Record == nil && slices.Contains(passing, c.Incomplete.Kind) {
			ids = append(ids, c.Cell.ID())
		}
	}
	return ids
}

// An item is an entry to be: a file on disk, or bytes.
type item struct {
	File
	disk string // "" if data holds it
	data []byte
}

// packTo writes the archive of a run to w. The same run and options give the same bytes, wherever the run
// directory is. Suites and transcripts are packed byte for byte; named are those that contain paths of
// Options.Here. Errors are *UnfinishedError, *KeyError, or tell of a run directory that is not as the harness
// left it.
func packTo(w io.Writer, data *results.Data, o Options) (h *Header, named []string, err error) {
	if err := CheckName(o.Name); err != nil {
		return nil, nil, err
	}
	if open := unfinished(data); len(open) > 0 && !o.Unfinished {
		return nil, nil, &UnfinishedError{Dir: data.Dir, Cells: open}
	}
	p := packer{data: data, options: o}
	slices.SortStableFunc(p.options.Here, func(a, b Place) int { return cmp.Compare(len(b.Dir), len(a.Dir)) })
	if err := p.collect(); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(p.items, func(a, b item) int { return strings.Compare(a.Path, b.Path) })
	p.items = slices.CompactFunc(p.items, func(a, b item) bool { return a.Path == b.Path }) // inputs may be cited twice
	h = &Header{Format: format, Name: o.Name}
	for i := range p.items {
		if err := p.measure(&p.items[i]); err != nil {
			return nil, nil, err
		}
		h.Files = append(h.Files, p.items[i].File)
	}
	if err := h.check(DefaultLimits); err != nil {
		return nil, nil, fmt.Errorf("%s: cannot be packed: %w", data.Dir, err)
	}
	return h, p.named, p.write(w, h)
}

type packer struct {
	data    *results.Data
	options Options
	items   []item
	named   []string
}

// collect lists what goes into the archive.
func (p *packer) collect() error {
	p.add("experiment.yaml", p.anonymous(p.data.Experiment))
	m := p.data.Manifest
	m.Host.Name = ""
	if err := p.addJSON("manifest.json", m); err != nil {
		return err
	}
	for _, c := range p.data.Cells {
		if err := p.cell(c); err != nil {
			return err
		}
	}
	return nil
}

func (p *packer) cell(c results.CellData) error {
	at := path.Join("cells", c.Cell.ID())
	if c.Record == nil {
		return p.addJSON(path.Join(at, "incomplete.json"), c.Incomplete)
	}
	if err := p.addJSON(path.Join(at, "record.json"), c.Record); err != nil {
		return err
	}
	suite, err := results.ReadSuite(filepath.Join(c.Dir, "suite"))
	if err != nil {
		return err
	}
	p.addDisk(path.Join(at, "suite", trial.SuiteFile), filepath.Join(c.Dir, "suite", trial.SuiteFile), "")
	for _, f := range suite.Listed() {
		p.addDisk(path.Join(at, "suite", filepath.ToSlash(f.File)), filepath.Join(c.Dir, "suite", f.File), f.SHA256)
	}
	for _, b := range c.Record.Bugs {
		for _, ref := range b.First {
			if strings.HasPrefix(ref.File, "evaluation/") {
				p.addDisk(path.Join(at, ref.File), filepath.Join(c.Dir, ref.File), "")
			}
		}
	}
	transcript := filepath.Join(c.Dir, llm.TranscriptFile)
	if _, err := os.Lstat(transcript); err == nil {
		p.addDisk(path.Join(at, llm.TranscriptFile), transcript, "")
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (p *packer) add(name string, data []byte) {
	p.items = append(p.items, item{File: File{Path: name}, data: data})
}

// addDisk adds a file that must have that SHA-256, if one is given.
func (p *packer) addDisk(name, file, sum string) {
	p.items = append(p.items, item{File: File{Path: name, SHA256: sum}, disk: file})
}

// addJSON writes v in the form in which the store does, without this machine's places.
func (p *packer) addJSON(name string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	p.add(name, append(p.anonymous(data), '\n'))
	return nil
}

// anonymous puts the word of a place where its directory stands, alone or at the head of a
// longer path.
func (p *packer) anonymous(text []byte) []byte {
	s := string(text)
	for _, place := range p.options.Here {
		s = replaceDir(s, place)
	}
	return []byte(s)
}

func replaceDir(s string, place Place) string {
	const ofNames = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
	var out strings.Builder
	for {
		i := strings.Index(s, place.Dir)
		if i < 0 || place.Dir == "" || place.Dir == "/" {
			out.WriteString(s)
			return out.String()
		}
		end := i + len(place.Dir)
		part := i > 0 && strings.IndexByte(ofNames+"/", s[i-1]) >= 0 || end < len(s) && strings.IndexByte(ofNames, s[end]) >= 0
		out.WriteString(s[:i])
		if part { // of another path
			out.WriteString(place.Dir)
		} else {
			out.WriteString(place.Word)
		}
		s = s[end:]
	}
}

// open returns the entry's content.
func (p *packer) open(i item) (io.ReadCloser, error) {
	if i.disk == "" {
		return io.NopCloser(bytes.NewReader(i.data)), nil
	}
	info, err := os.Lstat(i.disk)
	if err != nil {
		return nil, fmt.Errorf("%s: the run is not whole: %w", p.data.Dir, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: a link or special file, which the harness never writes: not packed", i.disk)
	}
	return os.Open(i.disk)
}

// measure fills in size and hash, and looks for keys.
func (p *packer) measure(i *item) error {
	in, err := p.open(*i)
	if err != nil {
		return err
	}
	defer in.Close()
	content, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if line, known := p.findKey(content); line > 0 {
		return &KeyError{Path: filepath.Join(p.data.Dir, filepath.FromSlash(i.Path)), Line: line, Known: known}
	}
	got := sha256.Sum256(content)
	have := hex.EncodeToString(got[:])
	if i.SHA256 != "" && i.SHA256 != have {
		return fmt.Errorf("%s: not what the tool made, its SHA-256 differs from that in %s: a run is packed as it ended", i.disk, trial.SuiteFile)
	}
	if i.disk != "" && slices.ContainsFunc(p.options.Here, func(h Place) bool { return replaceDir(string(content), h) != string(content) }) {
		p.named = append(p.named, i.Path)
	}
	i.Size, i.SHA256 = int64(len(content)), have
	return nil
}

func (p *packer) findKey(content []byte) (line int, known bool) {
	for _, key := range p.options.Keys {
		if i := bytes.Index(content, []byte(key)); key != "" && i >= 0 {
			return 1 + bytes.Count(content[:i], []byte("\n")), true
		}
	}
	if p.options.KeysChecked {
		return 0, false
	}
	if i := llm.FindKey(content); i >= 0 {
		return 1 + bytes.Count(content[:i], []byte("\n")), false
	}
	return 0, false
}

// write makes the archive. Times, owners and modes are the same for everybody.
func (p *packer) write(w io.Writer, h *Header) error {
	head, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return err
	}
	head = append(head, '\n')
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(packed)
	if err := writeEntry(archive, HeaderFile, int64(len(head)), bytes.NewReader(head)); err != nil {
		return err
	}
	for _, i := range p.items {
		if err := p.writeItem(archive, i); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), packed.Close())
}

func (p *packer) writeItem(archive *tar.Writer, i item) error {
	in, err := p.open(i)
	if err != nil {
		return err
	}
	defer in.Close()
	h := sha256.New()
	if err := writeEntry(archive, i.Path, i.Size, io.TeeReader(in, h)); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != i.SHA256 {
		return fmt.Errorf("%s changed while it was packed: wait until no process works on the run", i.Path)
	}
	return nil
}

func writeEntry(archive *tar.Writer, name string, size int64, body io.Reader) error {
	err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: time.Unix(0, 0)})
	if err == nil {
		_, err = io.Copy(archive, body)
	}
	if errors.Is(err, tar.ErrWriteTooLong) {
		err = errors.New("it grew while it was packed: wait until no process works on the run")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
