package markdown

import (
	"fmt"
	"strings"
)

// maxBlockParts is the most messages that one code block or table may take
// before it becomes a file.
const maxBlockParts = 4

// attach puts a file in place of every block that would take too many
// messages of limit units. It reuses lines.
func attach(lines []line, limit int) []line {
	out := lines[:0]
	names := map[string]int{}
	for start := 0; start < len(lines); {
		end, size := start+1, 0
		if lines[start].kind == literal {
			end, size = literalEnd(lines, start)
		}
		if size > maxBlockParts*limit {
			out = append(out, asFile(lines[start:end], names))
		} else {
			out = append(out, lines[start:end]...)
		}
		start = end
	}
	return out
}

// literalEnd is where the code block ends that begins at start, and its size.
func literalEnd(lines []line, start int) (end, size int) {
	for end = start; end < len(lines); end++ {
		if lines[end].kind != literal || lines[end].block != lines[start].block {
			break
		}
		size += lines[end].size() + 1
	}
	return end, size
}

// asFile is the line that stands for a block, which it carries as a file.
func asFile(block []line, names map[string]int) line {
	var text strings.Builder
	for _, ln := range block {
		text.WriteString(ln.text())
		text.WriteByte('\n')
	}
	ln := fileLine(&File{Name: fileNameFor(block, names), Text: text.String()})
	ln.quote, ln.block = block[0].quote, block[0].block
	return ln
}

// fileLine announces a file and carries it.
func fileLine(f *File) line {
	lines := strings.Count(strings.TrimSuffix(f.Text, newline), newline) + 1
	return line{
		spans: []span{{text: "📎 "}, {text: f.Name, style: code}, {text: fmt.Sprintf(" (%d lines)", lines)}},
		file:  f,
	}
}

func fileNameFor(block []line, names map[string]int) string {
	base, ext := "code", fileExtension(block[0].lang)
	if len(block) > 2 && block[2].head != nil {
		base = "table"
	}
	name := base + "." + ext
	names[name]++
	if n := names[name]; n > 1 {
		return fmt.Sprintf("%s-%d.%s", base, n, ext)
	}
	return name
}

// fileExtension is the usual one of a language's files.
func fileExtension(lang string) string {
	lang = strings.ToLower(lang)
	switch lang {
	case "bash", "shell", "zsh", "console":
		return "sh"
	case "python":
		return "py"
	case "javascript":
		return "js"
	case "typescript":
		return "ts"
	case "rust":
		return "rs"
	case "ruby":
		return "rb"
	case "c++":
		return "cpp"
	case "c#", "csharp":
		return "cs"
	case "golang":
		return "go"
	case "yml":
		return "yaml"
	case "kotlin":
		return "kt"
	case "markdown":
		return "md"
	case "haskell":
		return "hs"
	case "perl":
		return "pl"
	case "powershell":
		return "ps1"
	}
	for _, known := range []string{
		"c", "h", "cpp", "cs", "css", "csv", "dart", "diff", "go", "hs", "html", "ini", "java", "js", "json", "jsx", "kt", "lua", "md",
		"php", "pl", "proto", "py", "r", "rb", "rs", "scala", "sh", "sql", "svg", "swift", "tex", "toml", "ts", "tsx", "xml", "yaml", "zig",
	} {
		if lang == known {
			return lang
		}
	}
	return "txt"
}
