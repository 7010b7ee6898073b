import { join, relative } from 'node:path';
import * as ts from 'typescript';

/** A quick compiler for single files of a tree: the compiler reads all their imports, and reports faults only in these files. */
export function createCompiler(root: string) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options: whole } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ['boundaries.cjs'] }, ts.sys, root);
  const options = { ...whole, incremental: false, noEmit: true, types: ['node'] };
  const host = ts.createCompilerHost(options);
  const known = new Map<string, ts.SourceFile>();
  // Two programs differ in only a few files, so a file that is the same in both programs is parsed once.
  const readAgain = host.getSourceFile.bind(host);
  host.getSourceFile = (name, how, ...others) => {
    const before = known.get(name);
    if (before !== undefined && before.text === host.readFile(name)) return before;
    const file = readAgain(name, how, ...others);
    if (file !== undefined) known.set(name, file);
    return file;
  };
  return {
    /** Each fault that the compiler reports, as `path: message`. */
    complaints(paths: readonly string[]): string[] {
      const names = paths.map((path) => join(root, path));
      const program = ts.createProgram({ rootNames: names, options, host });
      return names.flatMap((name) => {
        const file = program.getSourceFile(name);
        if (file === undefined) return [`${relative(root, name)}: is not there`];
        const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
        return found.map(({ messageText }) => `${relative(root, name)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
      });
    },
  };
}
