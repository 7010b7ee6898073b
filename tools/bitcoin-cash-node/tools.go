//go:build tools

// Package tools is never compiled. Its import makes the Bitcoin Cash node a requirement of this module, so that go.sum pins
// every byte of the node.
package tools

import _ "github.com/gcash/bchd"
