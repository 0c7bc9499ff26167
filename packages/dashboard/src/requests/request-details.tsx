import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Facts } from '../parts/facts.tsx'
import { TextLink } from '../parts/links.tsx'
import { Tag } from '../parts/tag.tsx'
import { modeWords } from '../shell/mode-words.ts'
import { type ApiRequest, toneOf } from './request.ts'

const text = words({
  en: {
    when: 'Time',
    status: 'Status',
    error: 'Error code',
    field: 'Field',
    id: 'Request ID',
    key: 'Idempotency key',
    payment: 'Payment',
    apiKey: 'API key',
    mode: 'Mode',
    duration: 'Duration',
    address: 'Client address',
    agent: 'User agent',
  },
  id: {
    when: 'Waktu',
    status: 'Status',
    error: 'Kode galat',
    field: 'Kolom',
    id: 'ID permintaan',
    key: 'Kunci idempotensi',
    payment: 'Pembayaran',
    apiKey: 'Kunci API',
    mode: 'Mode',
    duration: 'Durasi',
    address: 'Alamat IP pengirim',
    agent: 'User agent',
  },
})

export function RequestDetails({ of: request, close }: { of: ApiRequest; close: () => void }) {
  const t = useWords(text)
  const modes = useWords(modeWords)
  const format = useFormat()
  const { payment_id: paymentId, idempotency_key: key } = request
  return (
    <Dialog onClose={close} title={`${request.method} ${request.path}`} size="lg">
      <Facts
        items={[
          [
            t.when,
            <time key="when" dateTime={request.created_at}>
              {format.exactTime(request.created_at)}
            </time>,
          ],
          [
            t.status,
            <Tag key="status" tone={toneOf(request)}>
              {String(request.status)}
            </Tag>,
          ],
          [t.error, request.error_code],
          [t.field, request.error_field],
          [t.id, <Copied key="id" value={request.request_id} what={t.id} />],
          [t.key, key && <Copied key="key" value={key} what={t.key} />],
          [
            t.payment,
            paymentId && (
              <TextLink key="payment" to="/payments/$paymentId" params={{ paymentId }} className="mono">
                {request.payment_code ?? paymentId}
              </TextLink>
            ),
          ],
          [t.apiKey, request.api_key_name ?? request.api_key_id],
          [t.mode, modes[request.mode]],
          [t.duration, `${format.count(request.duration_ms)} ms`],
          [t.address, request.client_address],
          [t.agent, request.user_agent],
        ]}
      />
    </Dialog>
  )
}
