//go:build tools

// Package tools keeps the Temporal CLI in this module's requirements: nothing here is compiled, but go.sum pins every byte of it.
package tools

import _ "github.com/temporalio/cli/cmd/temporal"
