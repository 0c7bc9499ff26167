import type { ReactNode } from 'react'
import classes from './two-lines.module.css'

/** A cell with a value and a secondary line below it. The secondary line is truncated, except on a phone. */
export const TwoLines = ({ top, below }: { top: ReactNode; below: ReactNode }) => (
  <>
    <div>{top}</div>
    {below && <div className={classes.below}>{below}</div>}
  </>
)
