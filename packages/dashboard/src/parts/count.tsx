import classes from './count.module.css'

/** How many wait where a name leads; `100+` where nobody counted further. */
export const Count = ({ of: count, title }: { of: string; title?: string }) => (
  <span className={classes.count} title={title}>
    {count}
  </span>
)
