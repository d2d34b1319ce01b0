package rehearsal

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// maxSum bounds a sum's text and with it the depth of its parentheses.
const maxSum = 200

var (
	errNoSum = errors.New("no sum")
	errZero  = errors.New("division by zero")

	percentOf = lazily(`(?i)([\d.]+)\s*(?:%|percent)\s*(?:of|的)\s*`)
	thousands = lazily(`(\d),(\d{3})\b`)
	spelled   = strings.NewReplacer(
		"×", "*", "·", "*", "÷", "/", "−", "-", "–", "-", "（", "(", "）", ")", "**", "^",
		"multiplied by", "*", "divided by", "/", "to the power of", "^", "times", "*", "plus", "+", "minus", "-", "over", "/",
		"乘以", "*", "除以", "/", "乘", "*", "除", "/", "加上", "+", "加", "+", "减去", "-", "减", "-", "的平方", "^2",
	)
)

// calculate works out a sum as people write it. It takes only what is a sum
// from end to end and holds at least one operation: a date or a version is none.
func calculate(text string) (float64, error) {
	if len(text) > maxSum {
		return 0, errNoSum
	}
	text = percentOf().ReplaceAllString(strings.ToLower(text), "$1%*")
	text = thousands().ReplaceAllString(text, "$1$2")
	p := &sum{text: strings.Join(strings.Fields(spelled.Replace(text)), "")}
	value, err := p.terms()
	switch {
	case err != nil:
		return 0, err
	case p.at < len(p.text) || p.operations == 0:
		return 0, errNoSum
	case math.IsNaN(value) || math.IsInf(value, 0):
		return 0, errZero
	}
	return value, nil
}

// sum is a recursive descent over sums, products, powers and signs.
type sum struct {
	text       string
	at         int
	operations int
}

// take moves past one of the bytes, if it comes next.
func (p *sum) take(any string) byte {
	if p.at < len(p.text) && strings.IndexByte(any, p.text[p.at]) >= 0 {
		p.at++
		return p.text[p.at-1]
	}
	return 0
}

func (p *sum) terms() (float64, error) {
	left, err := p.factors()
	for err == nil {
		op := p.take("+-")
		if op == 0 {
			return left, nil
		}
		p.operations++
		var right float64
		right, err = p.factors()
		if op == '-' {
			right = -right
		}
		left += right
	}
	return 0, err
}

func (p *sum) factors() (float64, error) {
	left, err := p.power()
	for err == nil {
		op := p.take("*/x")
		if op == 0 {
			return left, nil
		}
		p.operations++
		var right float64
		right, err = p.power()
		if op == '/' {
			right = 1 / right
		}
		left *= right
	}
	return 0, err
}

func (p *sum) power() (float64, error) {
	if p.take("-") != 0 {
		value, err := p.power()
		return -value, err
	}
	base, err := p.value()
	if err != nil || p.take("^") == 0 {
		return base, err
	}
	p.operations++
	exponent, err := p.power()
	return math.Pow(base, exponent), err
}

func (p *sum) value() (float64, error) {
	if p.take("(") != 0 {
		value, err := p.terms()
		if err == nil && p.take(")") == 0 {
			err = errNoSum
		}
		return value, err
	}
	begin := p.at
	for p.take("0123456789.") != 0 {
	}
	value, err := strconv.ParseFloat(p.text[begin:p.at], 64)
	if err != nil {
		return 0, errNoSum
	}
	if p.take("%") != 0 {
		p.operations++
		value /= 100
	}
	return value, nil
}

// number writes a value as people do: no exponent where it can be helped, no
// digits that are rounding errors.
func number(value float64) string {
	if math.Abs(value) >= 1e15 {
		return strconv.FormatFloat(value, 'g', 12, 64)
	}
	text := strconv.FormatFloat(value, 'f', 10, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
