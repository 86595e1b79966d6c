package experiments

import _ "embed"

// Schema is the JSON Schema (draft 2020-12) of experiment files, with a description of each key, for
// editors that complete and check. It holds names, types and limits of single values; what needs the
// corpus or two keys at once, Load checks. A test makes it from the types and their comments.
//
//go:embed schema.json
var Schema []byte
