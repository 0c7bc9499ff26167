// Sends requests to the process that all test files in a run share (shared-host.ts). This shared process starts
// provider sandboxes and creates the demo data.

import { inject } from 'vitest'
import { atEnd } from './at-end.ts'
import type { DemoTemplate } from './demo-template.ts'
import type { SandboxOptions } from './shared-host.ts'

/** Starts a provider sandbox and returns its URL. The sandbox stops at the end of the test file. */
export async function startSandbox(options: SandboxOptions = {}): Promise<string> {
  const url = await call('POST', '/sandboxes', options)
  atEnd(() => call('DELETE', `/sandboxes?url=${encodeURIComponent(url)}`))
  return url
}

/**
 * Creates the demo data on the first call, and returns the secrets in it. Tests can then copy the database and the
 * sandbox that contain this data.
 */
export async function demoTemplate(): Promise<DemoTemplate> {
  return JSON.parse(await call('POST', '/demo', inject('databaseUrls')))
}

async function call(method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(inject('sharedHost') + path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
