// Opens pages in a real browser and collects everything a page should not do, such as logging console errors.

import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, inject } from 'vitest'
import { launchChromium } from '../support/chromium.ts'

export const base = inject('demo').base_url

/**
 * How long a page waits for an element. This limit is long, because a slow, shared machine takes a long time to load four
 * megabytes of scripts.
 */
export const PATIENCE_MS = 120_000

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const browser = await launchChromium()
afterAll(() => browser.close())

export type Visit = {
  page: Page
  /**
   * The problems found so far: console errors and warnings (including violations of the content security
   * policy), and requests to other origins.
   */
  complaints: string[]
  end(): Promise<void>
}

/** Opens a page in the browser. `origin` is the base URL of the service from which the page is loaded. */
export async function visit(
  path: string,
  options: BrowserContextOptions = {},
  origin: string = base,
): Promise<Visit> {
  const visited = await newVisit(options, origin)
  await visited.page.goto(origin + path)
  return visited
}

/** Opens a window with a blank page, in which the test opens pages from the service at `origin`. */
export async function newVisit(options: BrowserContextOptions = {}, origin: string = base): Promise<Visit> {
  // With reduced motion, elements appear immediately. Otherwise, a test could see an element that is still half
  // transparent.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', error => complaints.push(error.message))
  context.on('request', request => {
    const url = new URL(request.url())
    // Reports each request from one of the site's own pages to another origin. A link may open another site
    // in a new window, and that site's own requests are not reported.
    const asks = request.isNavigationRequest() ? url : new URL(request.frame().url())
    if (asks.origin === origin && url.origin !== origin && url.protocol !== 'data:')
      complaints.push(`asked ${url.href}`)
  })
  context.on('requestfailed', request => {
    // Navigating to another page aborts the current page's open requests, so an aborted request does not
    // count as a failure.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`)
  })
  async function end(): Promise<void> {
    // When the browser context is closed, a page's request may still be in flight. The test's handler for this request
    // then fails, so its errors are ignored.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
  return { page, complaints, end }
}

const colorRules = ['color-contrast', 'link-in-text-block']
const structure: axe.RunOptions = {
  rules: Object.fromEntries(colorRules.map(rule => [rule, { enabled: false }])),
  resultTypes: ['violations'],
}
const colors: axe.RunOptions = {
  runOnly: { type: 'rule', values: colorRules },
  resultTypes: ['violations', 'passes'],
  elementRef: true,
}

/**
 * The kinds of text whose colors axe-core has already checked in this test file. To save time, further texts
 * of the same kind are not checked.
 */
const checkedKinds = new Set<string>()

/**
 * Returns the serious and critical accessibility violations that axe-core finds, as `rule: element`. The color rules
 * are slow, so they are applied only to kinds of text that were not checked before. Pass `color` to apply only the
 * color rules, after a change of the color scheme.
 */
export async function barriers(page: Page, rules: 'all' | 'color' = 'all'): Promise<string[]> {
  // After a size change, the page's scripts react in the next animation frame, for example to make a
  // scrolling element focusable. This code waits for two frames, so that the scripts have run.
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  // The page's security policy blocks injected scripts, but not scripts that Playwright evaluates through the
  // browser's debugging protocol.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const { found, kinds } = await page.evaluate(inspect, {
    structure: rules === 'all' ? structure : undefined,
    colors,
    checked: [...checkedKinds],
  })
  for (const kind of kinds) checkedKinds.add(kind)
  return found
}

type Inspection = { structure: axe.RunOptions | undefined; colors: axe.RunOptions; checked: string[] }

/**
 * Applies axe-core's accessibility rules. This function runs in the browser page, so it cannot use anything from
 * this module.
 */
async function inspect({ structure, colors, checked }: Inspection) {
  const { run } = (globalThis as unknown as { axe: typeof axe }).axe
  const serious = ({ violations }: axe.AxeResults) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))

  // Only one text of each kind is checked, because the color rules give the same result for all texts of a kind. A
  // kind consists of all texts with the same element, font, colors and backgrounds.
  const kindOf = new Map<Element, string>()
  const visit = (element: Element, behind: string, around: string) => {
    if (!element.checkVisibility()) return
    const style = getComputedStyle(element)
    const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.position].join(' ')
    const stack = own === 'rgba(0, 0, 0, 0) none 1 static' ? behind : `${behind} > ${own}`
    const hasText = [...element.childNodes].some(node => node instanceof Text && node.data.trim() !== '')
    const font = [style.color, style.fontSize, style.fontWeight, style.textDecoration].join(' ')
    if (hasText || element.matches('input, textarea, select'))
      kindOf.set(element, [element.tagName, element.getAttribute('class'), font, around, stack].join(' | '))
    for (const child of element.children) visit(child, stack, font)
  }
  visit(document.documentElement, '', '')

  const seen = new Set(checked)
  const unseen = new Map<string, Element>()
  for (const [element, kind] of kindOf) if (!seen.has(kind) && !unseen.has(kind)) unseen.set(kind, element)
  const found = structure ? serious(await run(structure)) : []
  if (unseen.size === 0) return { found, kinds: [] }
  const results = await run({ include: [...unseen.values()] }, colors)
  // A kind of text (with the same font, colors and backgrounds) counts as checked only if axe-core could measure its
  // contrast. axe-core cannot measure text that something covers.
  const decided = [...results.passes, ...results.violations].flatMap(({ nodes }) => nodes)
  const kinds = decided.flatMap(({ element }) => (element && kindOf.get(element)) ?? [])
  return { found: [...found, ...serious(results)], kinds }
}

/** Returns by how many pixels the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const pictures = join(import.meta.dirname, '../../test-output')

/**
 * With PICTURES=1, stores a screenshot in the folder `folder`. People view the screenshots; no test compares them.
 * Unless `whole` is false, the screenshot shows the page's full height, up to 4,000 pixels.
 */
export async function takePicture(
  page: Page,
  folder: 'dashboard' | 'docs',
  name: string,
  { whole = true }: { whole?: boolean } = {},
): Promise<void> {
  if (!process.env.PICTURES) return
  await mkdir(join(pictures, folder), { recursive: true })
  const before = page.viewportSize()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  if (whole && before && height > before.height)
    await page.setViewportSize({ ...before, height: Math.min(height, 4_000) })
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
  await page.screenshot({ path: join(pictures, folder, `${name}.png`) })
  if (before) await page.setViewportSize(before)
}
