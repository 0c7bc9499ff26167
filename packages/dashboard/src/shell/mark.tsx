import classes from './mark.module.css'
import mark from './mark.svg'

export const Mark = () => (
  <span className={classes.mark}>
    <img src={mark} alt="" width={28} height={28} />
    Gapura
  </span>
)
