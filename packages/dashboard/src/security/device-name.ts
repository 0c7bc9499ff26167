// Derives a device name from its User-Agent, so that the user recognizes the device. The browsers are checked in this
// order, because Edge's User-Agent also contains "Chrome", and Chrome's also contains "Safari".

const browsers: [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]

const systems: [name: string, mark: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/**
 * Returns a name such as `Chrome, Windows`. For a program that is not a browser, returns the start of its User-Agent.
 */
export function deviceName(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined
  const find = (known: typeof browsers) => known.find(([, mark]) => mark.test(userAgent))?.[0]
  const parts = [find(browsers), find(systems)].filter(part => part !== undefined)
  return parts.length > 0 ? parts.join(', ') : userAgent.split(' ')[0]?.slice(0, 40)
}
