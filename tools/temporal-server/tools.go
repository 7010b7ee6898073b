//go:build tools

// Package tools is never compiled. Its import makes the Temporal CLI a requirement of this module, so that go.sum pins every
// byte of the CLI.
package tools

import _ "github.com/temporalio/cli/cmd/temporal"
