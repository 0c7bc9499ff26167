// What a page says is printed, held against what was. `…` stands for anything: for a part of a line, for any number of
// lines where it stands alone on one, and in JSON for any members or elements.

const anything = '…'

/** The number of characters of `printed` that `expected` accounts for; undefined where they differ. */
export function matchText(
  expected: string,
  printed: string,
  { whole }: { whole: boolean },
): number | undefined {
  const lines = expected.trimEnd().split('\n')
  const pattern = lines
    .map(line => (line.trim() === anything ? '(?:[^\\n]*\\n)*?' : `${linePattern(line.trimEnd())}[ \\t]*\\n`))
    .join('')
  // Blank lines at either end are there for the eye.
  const [match] = withEnd(plain(printed)).match(new RegExp(`^\\n*${pattern}${whole ? '\\n*$' : ''}`)) ?? []
  return match?.length
}

const linePattern = (line: string) => line.split(anything).map(quote).join('[^\\n]*')

/** As it is seen: colours and the carriage returns of HTTP's header lines are not. */
const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  text.replace(/\u001b\[[\d;]*m|\r(?=\n)/g, '')

const withEnd = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

export function matchJson(expected: string, printed: string): boolean {
  const pattern = tokensOf(expected)
    .map(token =>
      token
        .split(anything)
        .map(quote)
        .join(token.startsWith('"') ? '(?:[^"\\\\]|\\\\.)*' : '[^]*'),
    )
    .join('')
  return new RegExp(`^${pattern}$`).test(tokensOf(plain(printed)).join(''))
}

/** Without the white space between them; what stands in a string is kept. */
const tokensOf = (json: string) => json.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? []

const quote = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
