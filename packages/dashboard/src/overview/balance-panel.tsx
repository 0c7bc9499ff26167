import { useWords, words } from '../language/language.tsx'
import { Balance } from '../ledger/balance.tsx'
import { TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import type { Mode } from '../shell/mode.ts'

const text = words({
  en: { title: { live: 'Live balance', test: 'Test balance' }, ledger: 'Ledger' },
  id: { title: { live: 'Saldo live', test: 'Saldo uji coba' }, ledger: 'Buku besar' },
})

export function BalancePanel({ mode }: { mode: Mode }) {
  const t = useWords(text)
  return (
    <Panel
      title={t.title[mode]}
      actions={
        <TextLink to="/ledger" size="sm">
          {t.ledger}
        </TextLink>
      }
    >
      <Balance mode={mode} />
    </Panel>
  )
}
