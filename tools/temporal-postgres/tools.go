//go:build tools

// Package tools keeps Temporal's server and its schema tool in this module's requirements: go.sum pins every byte of them.
package tools

import (
	_ "go.temporal.io/server/cmd/server"
	_ "go.temporal.io/server/cmd/tools/sql"
)
