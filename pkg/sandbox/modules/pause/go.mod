module capn.local/pause

go 1.21
