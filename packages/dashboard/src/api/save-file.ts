/** Saves the content in the browser as a download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The file's URL stays valid for a minute, because some browsers read it only after the click handler has
  // returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
