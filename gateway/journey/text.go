package journey

import (
	"context"
	"fmt"
	"strings"

	"talaria/core/learning/curve"
	"talaria/core/learning/graph"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// maxNodes is how many nodes the text names; the picture and the document
// have all.
const maxNodes = 40

// drawn is the graph in characters: each skill with what hangs on it, then
// what hangs on nothing.
func drawn(ctx context.Context, g graph.Graph) string {
	var b strings.Builder
	b.WriteString(wording.Text(ctx, "**Skills and memories: %d**, ties: %d; made by me: %d, used: %d, alone: %.0f %%",
		g.Stats.Nodes, g.Stats.Edges, g.Stats.AgentMade, g.Stats.Used, 100*g.Stats.Isolated) + "\n\n```\n")
	labels := labelled(g)
	tied, told := ties(g)
	shown := 0
	for _, n := range g.Nodes {
		if told[n.ID] && len(tied[n.ID]) == 0 {
			continue
		}
		if shown++; shown > maxNodes {
			b.WriteString(wording.Text(ctx, "… and more") + "\n")
			break
		}
		b.WriteString(node(n, labels[n.ID]))
		for i, other := range tied[n.ID] {
			branch := "├─"
			if i == len(tied[n.ID])-1 {
				branch = "└─"
			}
			fmt.Fprintf(&b, "  %s %s\n", branch, labels[other])
		}
	}
	b.WriteString("```\n" + wording.Text(ctx, "`/journey delete ID` drops a part, `/journey edit ID TEXT` changes a memory."))
	if len(g.Memory) > 0 {
		b.WriteString(" " + wording.Text(ctx, "Ids of memories:"))
	}
	b.WriteString("\n")
	for n, c := range g.Memory[:min(len(g.Memory), maxNodes)] {
		fmt.Fprintf(&b, "%d. `%s`\n", n+1, c.ID)
	}
	return b.String()
}

// labelled are the words for the nodes, by their ids. Memories are numbered,
// as the list of their ids is.
func labelled(g graph.Graph) map[string]string {
	labels, cards := map[string]string{}, 0
	for _, n := range g.Nodes {
		labels[n.ID] = oneLine(n.Label)
		if n.Kind == graph.CardNode {
			cards++
			labels[n.ID] = fmt.Sprintf("%d. %s", cards, labels[n.ID])
		}
	}
	return labels
}

// ties are what hangs on each node, and what is told by hanging on one.
func ties(g graph.Graph) (tied map[string][]string, told map[string]bool) {
	cards := map[string]bool{}
	for _, n := range g.Nodes {
		cards[n.ID] = n.Kind == graph.CardNode
	}
	tied, told = map[string][]string{}, map[string]bool{}
	for _, e := range g.Edges {
		to, from := e.Target, e.Source
		if !cards[from] {
			to, from = e.Source, e.Target // a relation is told with the skill that declares it
		}
		tied[to] = append(tied[to], from)
		told[from] = true
	}
	return tied, told
}

// node is the line of a skill or memory, with a square for each use.
func node(n graph.Node, label string) string {
	mark := "○"
	if n.Kind == graph.SkillNode {
		mark = "●"
	}
	use := ""
	if n.UseCount > 0 {
		use = fmt.Sprintf("  %s %d×", strings.Repeat("▪", min(n.UseCount, 10)), n.UseCount)
	}
	return fmt.Sprintf("%s %s%s%s\n", mark, label, state(n), use)
}

func state(n graph.Node) string {
	if n.State == "active" {
		return ""
	}
	return " (" + n.State + ")"
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "'")), " ")
}

// maxKinds is how many kinds of task the text tells of.
const maxKinds = 10

// lines are the curves in characters.
func lines(ctx context.Context, curves []curve.Curve) string {
	var b strings.Builder
	for i, c := range curves[:min(len(curves), maxKinds)] {
		b.WriteString(wording.Text(ctx, "%d. **%s**: %d×, %.0f %% success, skills used in %.0f %%\n`%s`", i+1, command.Clipped(c.Label, 60), len(c.Points), 100*c.Success, 100*c.Reuse, bars(c.Points)))
		switch {
		case c.Fit == nil:
		case c.ToGoal < 0:
			b.WriteString(wording.Text(ctx, " (will not reach %.0f %% as it goes)", 100*c.Goal))
		default:
			b.WriteString(wording.Text(ctx, " (%.0f %% from task %d on, by the fit)", 100*c.Goal, c.ToGoal))
		}
		fmt.Fprintf(&b, "\n%s\n\n", trend(ctx, c.Points))
	}
	return strings.TrimSpace(b.String())
}

// maxBars is how many tasks a line shows, the latest.
const maxBars = 40

// bars show a task each: full where it succeeded, marked where a skill was used.
func bars(points []curve.Point) string {
	var b strings.Builder
	for _, p := range points[max(0, len(points)-maxBars):] {
		switch {
		case p.Success && p.Skills > 0:
			b.WriteRune('█')
		case p.Success:
			b.WriteRune('▆')
		default:
			b.WriteRune('▁')
		}
	}
	return b.String()
}

// trend compares the first tasks of a kind with the last.
func trend(ctx context.Context, points []curve.Point) string {
	n := min(5, len(points)/2)
	if n == 0 {
		return wording.Text(ctx, "Too few tasks for a trend.")
	}
	first, last := mean(points[:n]), mean(points[len(points)-n:])
	return wording.Text(ctx, "Steps: %.1f at first, %.1f now. Seconds: %.1f at first, %.1f now.", first.steps, last.steps, first.seconds, last.seconds)
}

type means struct{ steps, seconds float64 }

func mean(points []curve.Point) means {
	var m means
	for _, p := range points {
		m.steps += float64(p.Steps) / float64(len(points))
		m.seconds += p.Duration.Seconds() / float64(len(points))
	}
	return m
}
