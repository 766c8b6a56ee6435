/* What Odonata needs of MPI, as functions without a type of it: compiled where it runs, by
 * `odonata mpi build`, with the compiler of the MPI that is there. Everything that can fail returns
 * an error of MPI, 0 if there is none. Calls come one at a time, from any thread. */

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm all = MPI_COMM_NULL;
static int is_ours = 0;

/* The form of these functions: another one is refused. */
int odonata_mpi_form(void) { return 2; }

/* Initialises MPI if nobody has, and asks how threads may call it: 0 one only, 1 one at a time. */
int odonata_mpi_start(int *threads)
{
    int is_there = 0, level = MPI_THREAD_SINGLE, error;
    error = MPI_Initialized(&is_there);
    if (error == MPI_SUCCESS && !is_there) {
        error = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
        is_ours = error == MPI_SUCCESS;
    } else if (error == MPI_SUCCESS) {
        error = MPI_Query_thread(&level);
    }
    *threads = level >= MPI_THREAD_SERIALIZED;
    if (error == MPI_SUCCESS)
        error = MPI_Comm_dup(MPI_COMM_WORLD, &all);
    if (error == MPI_SUCCESS)
        error = MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
    return error;
}

int odonata_mpi_rank(int *rank) { return MPI_Comm_rank(all, rank); }

int odonata_mpi_size(int *size) { return MPI_Comm_size(all, size); }

/* Begins to send; `*request` is for odonata_mpi_is_sent, until which the bytes must stay. */
int odonata_mpi_send(const void *bytes, int count, int other, int tag, void **request)
{
    MPI_Request *made = malloc(sizeof *made);
    int error;
    if (made == NULL)
        return MPI_ERR_NO_MEM;
    error = MPI_Isend(bytes, count, MPI_BYTE, other, tag, all, made);
    if (error != MPI_SUCCESS) {
        free(made);
        made = NULL;
    }
    *request = made;
    return error;
}

/* Whether it is sent; its request is gone then, and in an error. */
int odonata_mpi_is_sent(void *request, int *is_sent)
{
    int error = MPI_Test(request, is_sent, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS || *is_sent)
        free(request);
    return error;
}

static int tag_of(int tag) { return tag < 0 ? MPI_ANY_TAG : tag; }

/* Whether a message with this tag (below 0: any) is there, of `*other` (below 0: of anybody), and how
 * long it is. */
int odonata_mpi_is_there(int *other, int tag, int *is_there, int *count)
{
    MPI_Status status;
    int from = *other < 0 ? MPI_ANY_SOURCE : *other;
    int error = MPI_Iprobe(from, tag_of(tag), all, is_there, &status);
    if (error == MPI_SUCCESS && *is_there) {
        *other = status.MPI_SOURCE;
        error = MPI_Get_count(&status, MPI_BYTE, count);
    }
    return error;
}

/* Receives a message with this tag (below 0: any). */
int odonata_mpi_receive(void *bytes, int count, int other, int tag)
{
    return MPI_Recv(bytes, count, MPI_BYTE, other, tag_of(tag), all, MPI_STATUS_IGNORE);
}

/* What an error says, or which library this is (error 0), as text that ends with a zero byte. */
void odonata_mpi_sentence(int error, char *text, int room)
{
    static char found[MPI_MAX_ERROR_STRING + MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    found[0] = 0;
    if (error == MPI_SUCCESS)
        MPI_Get_library_version(found, &length);
    else
        MPI_Error_string(error, found, &length);
    strncpy(text, found, room - 1);
    text[room - 1] = 0;
}

/* Ends all processes. */
void odonata_mpi_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

/* Ends MPI if it was begun here. */
int odonata_mpi_finish(void)
{
    int error = MPI_Comm_free(&all);
    return error == MPI_SUCCESS && is_ours ? MPI_Finalize() : error;
}
