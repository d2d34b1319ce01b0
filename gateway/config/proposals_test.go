package config_test

import (
	"strings"
	"testing"

	"talaria/core/learning"
	"talaria/core/learning/curate"
	"talaria/core/learning/observe"
	"talaria/core/learning/propose"
	"talaria/gateway/config"
)

func TestMeasuresOfTheGateAndTheCuratorComeFromTheConfiguration(t *testing.T) {
	c, _, err := config.Load("", nil)
	l := c.Learning
	if err != nil || l.Gate.Measures() != learning.DefaultMeasures() || l.Corrections.Worths() != observe.DefaultWorths() || l.Curator.Limits() != curate.Defaults() {
		t.Errorf("by default %+v, %+v, %+v, %v", l.Gate, l.Corrections, l.Curator, err)
	}
	c, _, err = config.Load("", []string{"TALARIA_LEARNING_GATE_VALUE=70", "TALARIA_LEARNING_CORRECTIONS_FIRST=50", "TALARIA_LEARNING_CURATOR_PRUNE=40"})
	l = c.Learning
	if err != nil || l.Gate.Measures().Value != 0.7 || l.Corrections.Worths().First != 0.5 || l.Curator.Limits().Prune != 0.4 {
		t.Errorf("%+v, %+v, %+v, %v", l.Gate, l.Corrections, l.Curator, err)
	}
	for _, wrong := range []string{"GATE_STEPS=0", "CORRECTIONS_SECOND=95", "CURATOR_USES=2", "CURATOR_KEEP=30", "IDLE=0s", "REFLECTION_EVERY_CALLS=0"} {
		if _, _, err = config.Load("", []string{"TALARIA_LEARNING_" + wrong}); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

func TestMeasuresOfLearningComeFromTheConfiguration(t *testing.T) {
	c, _, err := config.Load("", nil)
	if err != nil || c.Learning.Proposals.Limits() != propose.Defaults() {
		t.Errorf("by default %+v, %v", c.Learning.Proposals.Limits(), err)
	}
	c, _, err = config.Load("", []string{"TALARIA_LEARNING_PROPOSALS_CARDS_PER_DAY=3", "TALARIA_LEARNING_PROPOSALS_REMEMBER=60"})
	if l := c.Learning.Proposals.Limits(); err != nil || l.Cards != 3 || l.Remember != 0.6 {
		t.Errorf("%+v, %v", l, err)
	}
	if _, _, err = config.Load("", []string{"TALARIA_LEARNING_PROPOSALS_REVISE=850"}); err == nil || !strings.Contains(err.Error(), "percentage") {
		t.Errorf("850 percent: %v", err)
	}
}
