package agent

// replay takes up what an earlier run of the turn recorded. It goes through the
// same steps that the run went through, so that both arrive at the same state;
// a step whose calls did not all end is left for dispatch.
func (r *run) replay(entries []Entry) {
	for _, e := range entries {
		if e.Usage != nil {
			r.usage = r.usage.Plus(*e.Usage)
			r.calls++
		}
		switch {
		case e.Begun != nil:
			r.assume(*e.Begun)
		case e.Folded != nil:
			r.fold(*e.Folded)
		case e.Model != nil:
			r.closeStep()
			r.heard(*e.Model, e.Ending)
		case e.Started != nil:
			r.started[e.Started.ID] = true
		case e.Ended != nil:
			r.finished(e)
		case e.Steered != nil:
			r.closeStep()
			r.steered(*e.Steered)
			r.known = append(r.known, e.Steered.Text)
		}
	}
}

// closeStep appends the results of the last message's calls, once for each
// call and in their order, as providers want it.
func (r *run) closeStep() {
	calls := r.pending()
	if len(calls) == 0 {
		return
	}
	m := Message{Role: ToolRole}
	for _, c := range calls {
		o := Outcome{ID: c.ID, Name: c.Name, Text: unknownText, Failed: true}
		if e, ok := r.ended[c.ID]; ok {
			o = *e.Ended
		}
		m.Results = append(m.Results, o)
		m.Origin = max(m.Origin, o.Origin)
	}
	r.add(m)
}
