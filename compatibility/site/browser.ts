// Opens pages in a real browser and collects everything that a page should not do.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, inject } from 'vitest'
import { launchChromium } from '../support/chromium.ts'

export const base = inject('demo').base_url

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const browser = await launchChromium()
afterAll(() => browser.close())

export type Visit = {
  page: Page
  /** Console errors and warnings, including CSP violations, and requests to other origins. */
  complaints: string[]
  end(): Promise<void>
}

/** origin: of the service that serves the page. */
export async function visit(
  path: string,
  options: BrowserContextOptions = {},
  origin: string = base,
): Promise<Visit> {
  // Without motion, what a test looks at is there at once, and not still half transparent.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  // A cold, shared machine is slow to load four megabytes of script.
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', error => complaints.push(error.message))
  context.on('request', request => {
    const url = new URL(request.url())
    // A page opened in a new window may send requests to its own origin.
    const asks = request.isNavigationRequest() ? url : new URL(request.frame().url())
    if (asks.origin === origin && url.origin !== origin && url.protocol !== 'data:')
      complaints.push(`asked ${url.href}`)
  })
  context.on('requestfailed', request => {
    // Navigating to another page aborts the requests of the current one.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`)
  })
  await page.goto(origin + path)
  return { page, complaints, end: () => context.close() }
}

/** Accessibility violations found by axe-core as `rule: element`, serious and critical ones only. */
export async function barriers(page: Page): Promise<string[]> {
  // The page's policy blocks injected scripts, but the browser's own tools are exempt.
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate(
    () => (globalThis as unknown as { axe: typeof axe }).axe.run() as Promise<axe.AxeResults>,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** The horizontal overflow of the page in pixels. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
