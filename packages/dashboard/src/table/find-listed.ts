type Page<Item> = { items: Item[]; next_cursor: string | null }

/** Fetches a list page by page until it finds an item. Returns undefined if the list does not contain the item. */
export async function findListed<Item extends { id: string }>(
  id: string,
  fetchPage: (cursor?: string) => Promise<Page<Item>>,
): Promise<Item | undefined> {
  let cursor: string | undefined
  do {
    const page: Page<Item> = await fetchPage(cursor)
    const item = page.items.find(each => each.id === id)
    if (item) return item
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return undefined
}
