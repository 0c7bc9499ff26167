// The API reference page. It shows /openapi.json with Scalar's browser bundle; this service serves both.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Resource, resource } from '../http/pages/resource.ts'
import { banner, frame, type Links } from './layout.ts'

const scalar = join(dirname(createRequire(import.meta.url).resolve('@scalar/api-reference')), '..')

/**
 * Returns Scalar's bundle. Its version is that of the package and not a hash of the content, because reading the 4 MB
 * file only to hash it would take too long.
 */
export async function scalarBundle(): Promise<Resource> {
  const { version } = JSON.parse(await readFile(join(scalar, 'package.json'), 'utf8')) as { version: string }
  return resource('text/javascript; charset=utf-8', version, () =>
    readFile(join(scalar, 'dist/browser/standalone.js')),
  )
}

export function referencePage(links: Links & { scalar: string }): string {
  const body = `<body class="reference">
${banner('/docs/reference', false)}<div id="reference"></div>
<noscript><main><h1>API reference</h1><p>Here it needs JavaScript. The <a href="/openapi.json">OpenAPI document</a> says the same without.</p></main></noscript>
</body>
`
  const head = `<script src="${links.scalar}" defer></script>\n<script src="${links.script}" defer></script>\n`
  return frame({ title: 'API reference · Gapura', links, body, head })
}
