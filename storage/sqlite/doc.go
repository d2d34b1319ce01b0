// Package sqlite is the embedded storage driver.
package sqlite
