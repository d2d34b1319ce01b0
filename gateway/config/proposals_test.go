package config_test

import (
	"strings"
	"testing"
	"time"

	"talaria/core/learning"
	"talaria/core/learning/curate"
	"talaria/core/learning/curve"
	"talaria/core/learning/graph"
	"talaria/core/learning/observe"
	"talaria/core/learning/propose"
	"talaria/gateway/config"
)

func TestMeasuresOfTheGateAndTheCuratorComeFromTheConfiguration(t *testing.T) {
	c, _, err := config.Load("", nil)
	l := c.Learning
	if err != nil || l.Gate.Measures() != learning.DefaultMeasures() || l.Corrections.Worths() != observe.DefaultWorths() || l.UpkeepLimits() != curate.Defaults() || l.Value.Weights() != observe.DefaultWeights() || l.Journey.Graph() != graph.DefaultMeasures() || l.Journey.Reach() != curve.Goal {
		t.Errorf("by default %+v, %+v, %+v, %v", l.Gate, l.Corrections, l.Curator, err)
	}
	c, _, err = config.Load("", []string{"TALARIA_LEARNING_GATE_VALUE=70", "TALARIA_LEARNING_CORRECTIONS_FIRST=50", "TALARIA_LEARNING_CURATOR_PRUNE=40",
		"TALARIA_LEARNING_CURATOR_OVERLAP=80", "TALARIA_LEARNING_CURATOR_EXAMPLES=3", "TALARIA_LEARNING_VALUE_GENERAL=10", "TALARIA_LEARNING_JOURNEY_GOAL=90"})
	l = c.Learning
	if err != nil || l.Gate.Measures().Value != 0.7 || l.Corrections.Worths().First != 0.5 || l.UpkeepLimits().Prune != 0.4 ||
		l.UpkeepLimits().Overlap != 0.8 || l.UpkeepLimits().Shown != 3 || l.Value.Weights().General != 0.1 || l.Journey.Reach() != 0.9 {
		t.Errorf("%+v, %+v, %+v, %v", l.Gate, l.Corrections, l.Curator, err)
	}
	for _, wrong := range []string{"GATE_STEPS=0", "CORRECTIONS_SECOND=95", "CURATOR_USES=2", "CURATOR_KEEP=30", "IDLE=0s", "REFLECTION_EVERY_CALLS=0", "REFLECTION_LOOK_BACK=0",
		"VALUE_TOOLS=90", "VALUE_RUBRIC=0", "PROPOSALS_ALIKE=95", "JOURNEY_GOAL=0", "PERSON_LINES=0", "CURATOR_LATEST_USE=101"} {
		if _, _, err = config.Load("", []string{"TALARIA_LEARNING_" + wrong}); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

func TestMeasuresOfLearningComeFromTheConfiguration(t *testing.T) {
	c, _, err := config.Load("", nil)
	if err != nil || c.ProposalLimits() != propose.Defaults() {
		t.Errorf("by default %+v, %v", c.ProposalLimits(), err)
	}
	c, _, err = config.Load("", []string{"TALARIA_LEARNING_PROPOSALS_CARDS_PER_DAY=3", "TALARIA_LEARNING_PROPOSALS_REMEMBER=60", "TALARIA_LEARNING_GATE_SAME=95", "TALARIA_RETENTION_TRACES_DAYS=7"})
	if l := c.ProposalLimits(); err != nil || l.Cards != 3 || l.Remember != 0.6 || l.Same != 0.95 || l.Traces != 7*24*time.Hour {
		t.Errorf("%+v, %v", l, err)
	}
	if _, _, err = config.Load("", []string{"TALARIA_LEARNING_PROPOSALS_REVISE=850"}); err == nil || !strings.Contains(err.Error(), "percentage") {
		t.Errorf("850 percent: %v", err)
	}
}
