package citywalk

// The stages in which the tool asks a model; an experiment can give each its own settings.
const (
	StageTest      = "citywalk"
	StageFix       = "citywalk-fix"
	StageEmbedding = "citywalk-embedding"
)
