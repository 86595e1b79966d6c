package trial

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// Key names what is made from some parts: the SHA-256, in hexadecimal, of their JSON, which has the keys of maps sorted.
// Parts are values that come from YAML and JSON.
func Key(parts ...any) string {
	data, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Sprintf("trial: key of %v: %v", parts, err))
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}
