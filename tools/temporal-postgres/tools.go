//go:build tools

// Package tools is never compiled. Its imports make Temporal's server and schema tool requirements of this module, so that
// go.sum pins every byte of both.
package tools

import (
	_ "go.temporal.io/server/cmd/server"
	_ "go.temporal.io/server/cmd/tools/sql"
)
