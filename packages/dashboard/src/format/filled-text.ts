/**
 * Returns a parser for texts that the service creates from templates. In these texts, a value replaces each `{name}` of
 * the template. `holes` contains a regular expression for each value.
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
