// Finds unknown fields in Kubernetes manifests. Kubernetes silently drops such fields, so a probe with a misspelled
// name would never run. The TypeScript compiler checks the manifests and rejects every field that is missing from the
// types in Kubernetes' OpenAPI document.

import { join } from 'node:path'
import ts from 'typescript'
import type { Manifest } from './manifests.ts'

const file = join(import.meta.dirname, 'rendered-manifests.ts')
const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
}

/** Returns one line for each unknown field and each value with a wrong type. */
export function typeErrorsOf(manifests: Manifest[]): string[] {
  const text = manifests
    .map(manifest => {
      const { apiVersion, kind } = manifest
      const type = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`
      return `void (${JSON.stringify(manifest, null, 1)} satisfies ${type})`
    })
    .join('\n')
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = name => name === file || fileExists(name)
  host.readFile = name => (name === file ? text : readFile(name))
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, text, ...(rest as [ts.ScriptTarget]))
      : getSourceFile(name, ...rest)
  const program = ts.createProgram([file], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
