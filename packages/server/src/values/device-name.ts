// Derives a device name from a User-Agent, so that a user recognizes the device. The programs are checked in this order,
// because Edge's User-Agent also contains "Chrome", and Chrome's also contains "Safari".

const programs: [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['Gapura CLI', /^gapura-cli\//],
  ['curl', /^curl\//],
  ['Postman', /^PostmanRuntime\//],
  ['Python', /^(?:python-requests|python-httpx|Python-urllib)\//],
  ['Go', /^Go-http-client\//],
  ['Java', /^(?:Java|okhttp|Java-http-client)\//],
  ['PHP', /^(?:GuzzleHttp|PHP)\b/],
  ['Node.js', /^(?:node|axios|undici)\b/],
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
 * Returns a name such as `Chrome, Windows`, or undefined if neither the program nor the system is known. The name never
 * contains text of the User-Agent itself, because anyone can put any text there, such as a link to a fraudulent page.
 */
export function deviceName(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined
  const find = (known: typeof programs) => known.find(([, mark]) => mark.test(userAgent))?.[0]
  return [find(programs), find(systems)].filter(part => part !== undefined).join(', ') || undefined
}
