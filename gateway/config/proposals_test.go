package config_test

import (
	"strings"
	"testing"

	"talaria/core/learning/propose"
	"talaria/gateway/config"
)

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
