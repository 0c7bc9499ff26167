import { useWords, words } from '../language/language.tsx'
import { Count } from '../parts/count.tsx'
import { useMode } from '../shell/mode.ts'
import { useInboxCounts } from './inbox-counts.ts'

const text = words({
  en: { wait: (count: string) => `Items waiting for your decision: ${count}` },
  id: { wait: (count: string) => `${count} menunggu keputusan Anda` },
})

/**
 * The badge next to the Inbox in the navigation. It shows how many items wait for a decision by the Owner (the
 * service's operator).
 */
export default function WaitingCount() {
  const t = useWords(text)
  const [mode] = useMode()
  const { all } = useInboxCounts(mode)
  return all && <Count of={all} title={t.wait(all)} />
}
