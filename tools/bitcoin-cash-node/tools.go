//go:build tools

// Package tools keeps the Bitcoin Cash node in this module's requirements: go.sum pins every byte of it.
package tools

import _ "github.com/gcash/bchd"
