// A chart of the net amount per day. Screen readers see a list of days, and the arrow keys move from day to
// day.

import { VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { AxisBottom, AxisLeft } from '@visx/axis'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import type { DayFigures } from './figures.ts'
import classes from './volume-chart.module.css'

const text = words({
  en: {
    label: 'Net amount per day',
    most: (day: string, sum: string) => `Highest amount: ${sum}, for payments created on ${day}.`,
    none: 'No payments were paid on these days.',
    paid: (paid: string, count: string) => `${paid} of ${count} payments paid`,
  },
  id: {
    label: 'Jumlah bersih per hari',
    most: (day: string, sum: string) => `Jumlah tertinggi: ${sum}, untuk pembayaran yang dibuat pada ${day}.`,
    none: 'Tidak ada pembayaran yang lunas pada hari-hari ini.',
    paid: (paid: string, count: string) => `${paid} dari ${count} pembayaran lunas`,
  },
})

const margin = { top: 12, right: 24, bottom: 28 }
/** The gap in pixels between the chart's left edge and the widest amount on the axis. */
const SUM_GAP = 4
/** The width in pixels that a date label on the axis needs, including a gap. */
const LABEL_WIDTH = 64
const TIP_WIDTH = 210
const TIP_GAP = 8
/**
 * The chart's vertical axis extends to at least this amount, in cents. Without this minimum, the axis would range from
 * 0 to 0 if there are no payments.
 */
const LEAST_TOP = 100_000_00

export function VolumeChart({ days }: { days: readonly DayFigures[] }) {
  const t = useWords(text)
  const format = useFormat()
  const { ref, width, height } = useElementSize()
  const described = useId()
  const [active, setActive] = useState<number>()
  const [left, setLeft] = useState(64)
  const sums = useRef<SVGGElement>(null)
  // Runs after every render (without a dependency list), because each render may change the width of the
  // amounts on the axis.
  useLayoutEffect(() => {
    if (sums.current) setLeft(Math.ceil(SUM_GAP - sums.current.getBBox().x))
  })
  const list = useRef<SVGGElement>(null)

  const [first] = days
  if (!first) return null
  const x = scaleBand({
    domain: days.map(({ day }) => day),
    range: [left, width - margin.right],
    padding: 0.25,
  })
  const largest = days.reduce((most, day) => (day.net > most.net ? day : most), first)
  const y = scaleLinear({
    domain: [0, Math.max(largest.net, LEAST_TOP)],
    range: [height - margin.bottom, margin.top],
    nice: true,
  })
  const each = Math.max(1, Math.ceil((days.length * LABEL_WIDTH) / Math.max(1, width - left)))
  const last = days.length - 1
  const tellOf = ({ day, net, paid, count }: DayFigures) =>
    `${format.day(day)}: ${format.money(net)}, ${t.paid(format.count(paid), format.count(count))}`

  function go(event: KeyboardEvent) {
    const from = active ?? last
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key]
    if (to === undefined || to < 0 || to > last) return
    event.preventDefault()
    setActive(to)
    list.current?.querySelectorAll<SVGGElement>('[role=option]')[to]?.focus()
  }

  const shown = active === undefined ? undefined : days[active]
  return (
    <div ref={ref} className={classes.chart} onPointerLeave={() => setActive(undefined)}>
      <VisuallyHidden id={described}>
        {largest.net > 0 ? t.most(format.day(largest.day), format.money(largest.net)) : t.none}
      </VisuallyHidden>
      {width > 0 && (
        <svg width={width} height={height} role="presentation">
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: axes cannot receive focus */}
          <g aria-hidden="true">
            <AxisLeft
              innerRef={sums}
              scale={y}
              left={left}
              numTicks={4}
              hideAxisLine
              hideTicks
              tickFormat={value => format.shortMoney(Number(value))}
              tickClassName={classes.tick}
            />
            {y.ticks(4).map(tick => (
              <line
                key={tick}
                className={classes.line}
                x1={left}
                x2={width - margin.right}
                y1={y(tick)}
                y2={y(tick)}
              />
            ))}
            <AxisBottom
              scale={x}
              top={height - margin.bottom}
              hideTicks
              hideAxisLine
              tickValues={days.filter((_, index) => (last - index) % each === 0).map(({ day }) => day)}
              tickFormat={day => format.shortDay(String(day))}
              tickClassName={classes.tick}
            />
          </g>
          <g
            ref={list}
            role="listbox"
            aria-label={t.label}
            aria-describedby={described}
            aria-orientation="horizontal"
            tabIndex={-1}
            onKeyDown={go}
          >
            {days.map((day, index) => (
              <g
                key={day.day}
                role="option"
                aria-selected={index === active}
                aria-label={tellOf(day)}
                tabIndex={index === (active ?? last) ? 0 : -1}
                className={classes.day}
                onFocus={() => setActive(index)}
                onBlur={() => setActive(undefined)}
                onPointerEnter={() => setActive(index)}
              >
                <rect
                  className={classes.column}
                  x={x(day.day)}
                  width={x.bandwidth()}
                  y={margin.top}
                  height={height - margin.top - margin.bottom}
                />
                <Bar
                  className={classes.bar}
                  x={x(day.day) ?? 0}
                  width={x.bandwidth()}
                  y={y(Math.max(day.net, 0))}
                  height={y(0) - y(Math.max(day.net, 0))}
                  rx={Math.min(3, x.bandwidth() / 4)}
                />
              </g>
            ))}
          </g>
        </svg>
      )}
      {shown && (
        <div
          className={classes.tip}
          style={{ left: tipLeft(x(shown.day) ?? 0, x.bandwidth(), width) }}
          aria-hidden
        >
          <div>{format.day(shown.day)}</div>
          <strong className="figures">{format.money(shown.net)}</strong>
          <div>{t.paid(format.count(shown.paid), format.count(shown.count))}</div>
        </div>
      )}
    </div>
  )
}

/** Places the tooltip to the left or to the right of the day, depending on where there is more space. */
const tipLeft = (left: number, bandwidth: number, width: number): number =>
  left < width / 2
    ? Math.min(left + bandwidth + TIP_GAP, width - TIP_WIDTH)
    : Math.max(0, left - TIP_WIDTH - TIP_GAP)
