// Package slack connects an app in a Slack workspace.
package slack
