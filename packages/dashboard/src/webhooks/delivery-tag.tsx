import { useWords } from '../language/language.tsx'
import { Tag } from '../parts/tag.tsx'
import { type Delivery, deliveryTones, deliveryWords } from './delivery-words.ts'

export function DeliveryTag({ status }: Pick<Delivery, 'status'>) {
  return <Tag tone={deliveryTones[status]}>{useWords(deliveryWords)[status]}</Tag>
}
