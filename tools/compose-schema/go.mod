module strongroom/tools/compose-schema

go 1.23

require github.com/compose-spec/compose-go/v2 v2.9.0
