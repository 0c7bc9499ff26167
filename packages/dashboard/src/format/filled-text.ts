/**
 * Returns a parser for texts that the service creates from templates. A template contains holes, such as `{name}`, that
 * are replaced with values. `holes` contains a regular expression for each value. If a text matches no template, the
 * parser returns undefined.
 */
export function parserOf<Text extends string>(texts: Record<Text, string>, holes: Record<string, string>) {
  const patterns = (Object.keys(texts) as Text[]).map(text => {
    const form = texts[text].replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${holes[name]})`)
    return { text, pattern: new RegExp(`^${form}$`, 's') }
  })
  return (said: string): { text: Text; values: Partial<Record<string, string>> } | undefined => {
    for (const { text, pattern } of patterns) {
      const match = pattern.exec(said)
      if (match) return { text, values: { ...match.groups } }
    }
    return undefined
  }
}
