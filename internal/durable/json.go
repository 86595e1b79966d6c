package durable

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// WriteJSON replaces a file by v, indented, as WriteFile does.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(path, append(data, '\n'))
}

// ReadJSON reads the files that match a pattern of filepath.Glob, in the order of their names.
func ReadJSON[T any](pattern string) ([]T, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var list []T
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var v T
		if err := json.Unmarshal(data, &v); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		list = append(list, v)
	}
	return list, nil
}
