# The lines of `make run` that README.md shows; "..." stands for those left out.
/^(Machine|Service|Packets|Events|Latency|VERIFIED)/ || /^  (launch, all parts|packet, wire to wire)/ {
    if (skipped)
        print "..."
    skipped = 0
    print
    next
}
NF { skipped = 1 }
