import { expect, test } from 'vitest'
import { sequenceList } from './sequence.ts'

test("a Mermaid sequence diagram becomes a list of messages with the sender's and receiver's names", () => {
  const diagram =
    'sequenceDiagram\n  participant M as Merchant\n  M->>G: POST <x>\n  G-->>M: 200\n  G->>G: keep'
  expect(sequenceList(diagram)).toBe(
    '<ol class="sequence"><li><b>Merchant</b> → <b>G</b><br>POST &lt;x&gt;</li><li><b>G</b> → <b>Merchant</b><br>200</li><li><b>G</b><br>keep</li></ol>\n',
  )
})

test.each(['flowchart TD\n  A --> B', 'sequenceDiagram\n  loop every day\n  A->>B: x\n  end'])(
  'if a Mermaid diagram contains unsupported elements, the page shows its source instead of a list',
  diagram => {
    expect(sequenceList(diagram)).toBeUndefined()
  },
)
