// Opens pages in a real browser and collects everything that a page should not do, such as console errors.

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
  /** Console errors and warnings (including CSP violations), and requests to other origins. */
  complaints: string[]
  end(): Promise<void>
}

/** Opens a page. `origin` is that of the service that serves the page. */
export async function visit(
  path: string,
  options: BrowserContextOptions = {},
  origin: string = base,
): Promise<Visit> {
  // With reduced motion, elements appear immediately. Otherwise a test could see an element that is still half
  // transparent.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  // The timeout is long, because a slow, shared machine takes long to load four megabytes of scripts.
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', error => complaints.push(error.message))
  context.on('request', request => {
    const url = new URL(request.url())
    // A page that is opened in a new window may send requests to its own origin.
    const asks = request.isNavigationRequest() ? url : new URL(request.frame().url())
    if (asks.origin === origin && url.origin !== origin && url.protocol !== 'data:')
      complaints.push(`asked ${url.href}`)
  })
  context.on('requestfailed', request => {
    // Navigating to another page aborts the requests of the current one.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`)
  })
  await page.goto(origin + path)
  async function end(): Promise<void> {
    // A request of the page may still be in flight, and its route handler fails once the context is closed.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
  return { page, complaints, end }
}

/**
 * The rules of axe-core that a check applies. The colour rules take three quarters of the time, and only they depend on
 * the colour scheme.
 */
export type Rules = 'all' | 'colour' | 'all but colour'

const colourRules = ['color-contrast', 'link-in-text-block']
const settings: Record<Rules, axe.RunOptions> = {
  all: {},
  colour: { runOnly: { type: 'rule', values: colourRules } },
  'all but colour': { rules: Object.fromEntries(colourRules.map(rule => [rule, { enabled: false }])) },
}

/** Returns the serious and critical accessibility violations that axe-core finds, as `rule: element`. */
export async function barriers(page: Page, rules: Rules = 'all'): Promise<string[]> {
  // The page's security policy blocks injected scripts, but not scripts that the browser's own tools evaluate.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const { violations } = await page.evaluate(
    options => (globalThis as unknown as { axe: typeof axe }).axe.run(options) as Promise<axe.AxeResults>,
    { ...settings[rules], resultTypes: ['violations'] } satisfies axe.RunOptions,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** Returns by how many pixels the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
