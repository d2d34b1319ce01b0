package picture

import (
	"bytes"
	"fmt"
	"image/color"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font/gofont/goregular"
)

var (
	skillColor = color.RGBA{R: 0x1f, G: 0x77, B: 0xb4, A: 0xff}
	cardColor  = color.RGBA{R: 0xff, G: 0x7f, B: 0x0e, A: 0xff}
	lineColor  = color.RGBA{R: 0xb0, G: 0xb0, B: 0xb0, A: 0xff}
)

// In pixels.
const (
	side     = 840
	margin   = 70
	textSize = 18
)

// newPage makes a white page with a title.
func newPage(title string, width, height int) (*gg.Context, error) {
	c := gg.NewContext(width, height)
	if err := c.LoadFontFaceFromBytes(goregular.TTF, textSize); err != nil {
		return nil, fmt.Errorf("load the font of pictures: %w", err)
	}
	c.SetColor(color.White)
	c.Clear()
	c.SetColor(color.Black)
	c.DrawStringAnchored(title, float64(width)/2, margin/2, 0.5, 0.5)
	return c, nil
}

// stroke draws a straight line.
func stroke(c *gg.Context, ink color.Color, width float64, x1, y1, x2, y2 float64) {
	c.SetColor(ink)
	c.SetLineWidth(width)
	c.DrawLine(x1, y1, x2, y2)
	c.Stroke()
}

func png(c *gg.Context) ([]byte, error) {
	var b bytes.Buffer
	if err := c.EncodePNG(&b); err != nil {
		return nil, fmt.Errorf("write a picture: %w", err)
	}
	return b.Bytes(), nil
}
